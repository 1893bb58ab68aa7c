fetch('http://old.example/data.json');
