<!DOCTYPE html>
<a href='/user/theme/'>Theme</a> <a href='/notes.txt'>Notes</a>
