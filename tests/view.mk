# unit tests of the view room
