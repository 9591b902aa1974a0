export default {
  title: 'A course',
  url: 'https://course.example',
  baseUrl: '/',
  presets: [['classic', { docs: { routeBasePath: '/' }, blog: false, theme: {} }]],
};
