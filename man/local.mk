dist_man_MANS += \
	man/slackswap.1 \
	man/slackswap-export.5 \
	man/slackswap-findings.5 \
	man/slackswap-glossary.7 \
	man/slackswap-import.5 \
	man/slackswap-lesson.5 \
	man/slackswap-plan.5 \
	man/slackswap-profile.5 \
	man/slackswap-pytorch.7 \
	man/slackswap-result.5
