dist_man_MANS += man/slackswap.1
