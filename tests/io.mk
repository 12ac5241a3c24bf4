# unit tests of the io room
