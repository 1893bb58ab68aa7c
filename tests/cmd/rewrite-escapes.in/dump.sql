INSERT VALUES ('http://a.example/b\'c');
