/* Fetches the prices from <URL:http://mill.example/
 * prices/1997.txt>.
 */
static const char *mill = "http://mill.example/prices/1997.txt";  // http://mill.example/prices
static const char *form = "http://mill.example/%s.txt";
