# unit tests of the app room
