/* Fetches the prices from <URL:https://flour.example/mill/prices/1997.txt>.
 */
static const char *mill = "https://flour.example/mill/prices/1997.txt";  // https://flour.example/mill/prices
static const char *form = "https://flour.example/mill/%s.txt";
