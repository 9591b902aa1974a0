export default {
  title: 'A course',
  // Nothing of the site comes from another server, except the playground.
  globalStylesheets: [],
  search: false,
  head: '<script type="module" src="https://playground.example/systolic-playground.mjs"></script>',
};
