// The VitePress configuration. The sidebar, and the changes for the content security policy, come from build.mjs.
const { sidebar, strictly } = globalThis.sandbankSite;

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%230b6e5f' d='M8 1 1 5v1h14V5zM3 7v5h2V7zm4 0v5h2V7zm4 0v5h2V7zM1 13v2h14v-2z'/%3E%3C/svg%3E";

export default strictly({
  lang: 'en',
  title: 'Sandbank',
  titleTemplate: ':title · Sandbank',
  description: 'A local bank',
  head: [['link', { rel: 'icon', href: ICON }]],
  // Otherwise switching between light and dark mode adds a style sheet, which the policy of the pages forbids.
  appearance: { disableTransition: false },
  // The list of page hashes is a separate file and not in every page.
  metaChunk: true,
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    logo: { src: ICON, alt: '' },
    nav: [
      { text: 'Guides', link: '/guides/develop', activeMatch: '/guides/|/recipes/' },
      {
        text: 'Reference',
        activeMatch: '/reference/',
        items: [
          { text: 'v2', link: '/reference/v2' },
          { text: 'v1', link: '/reference/v1' },
          { text: 'Control plane', link: '/reference/sandbox' },
        ],
      },
      { text: 'Command line', link: '/cli' },
      { text: 'Fidelity', link: '/fidelity' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local', options: { disableDetailedView: true } },
    externalLinkIcon: true,
    notFound: {
      title: 'Page not found',
      quote: 'Search for it above: press / or Ctrl+K.',
      linkLabel: 'Documentation',
      linkText: 'Documentation',
    },
  },
  vite: { logLevel: 'warn', build: { target: 'es2022', chunkSizeWarningLimit: 2000 } },
});
