// Before anything is drawn: a link shows something else than the picture of the first screen.
if (location.search || location.hash) document.documentElement.classList.add('linked');
