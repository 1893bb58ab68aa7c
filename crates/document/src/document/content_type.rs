//! Media types with parameters.

/// The `charset` among the parameters of a media type (RFC 9110, section 5.6.6).
pub fn charset_parameter(parameters: &str) -> Option<&str> {
    parameters.split(';').find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let is_charset = name.trim().eq_ignore_ascii_case("charset");
        is_charset.then(|| value.trim().trim_matches('"'))
    })
}
