// A function that answers oEmbed for each link: GET /oembed?url=LINK. Hosts of the Fetch API run it as it is.

const PLAYGROUND = 'https://YOUR.HOST/playground/';
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads';
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

export default {
  fetch(request) {
    const asked = new URL(request.url).searchParams;
    const link = URL.parse(asked.get('url') ?? '');
    if (!link?.href.startsWith(PLAYGROUND)) return new Response('No such page', { status: 404 });
    link.searchParams.set('ui', 'embed');
    const side = (name, usual) => Math.min(Number(asked.get(name)) || usual, usual);
    const [width, height] = [side('maxwidth', 800), side('maxheight', 500)];
    return Response.json({
      version: '1.0',
      type: 'rich',
      title: 'Systolic Playground',
      width,
      height,
      html: `<iframe src="${escaped(link.href)}" width="${width}" height="${height}" style="max-width:100%;border:0" loading="lazy" sandbox="${SANDBOX}" title="Systolic array"></iframe>`,
    });
  },
};
