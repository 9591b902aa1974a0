// Before anything is drawn: only the plain address shows the picture of the first screen.
if (!location.search && !location.hash) document.documentElement.classList.add('plain');
