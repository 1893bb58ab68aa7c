url = "http://h.example/?utm_a=%s&utm_b=1" % name
other = f"http://h.example/?utm_a={name}"
