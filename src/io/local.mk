# sources of the io room: noinst_LIBRARIES += libio.a as soon as it has one
