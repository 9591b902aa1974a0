// Before anything is drawn: only the plain address shows the picture of the first screen.
if (!location.search && !location.hash) document.documentElement.classList.add('plain');

// A style sheet that is missing, damaged or hangs would hold back the page, or leave it unreadable, without a word.
function tellMissingStyle() {
  const style = document.querySelector('link[rel=stylesheet]');
  if (style && !getComputedStyle(document.documentElement).getPropertyValue('--page')) {
    style.remove();
    document.body.prepend('How the page should look did not arrive. Reload the page.');
  }
}
addEventListener('load', tellMissingStyle);
setTimeout(tellMissingStyle, 1e4);
