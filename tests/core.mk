# unit tests of the core room
