// VitePress's own theme, without its fonts, with the list of the reference and a link to the inspector.
import Theme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import ReferencePage from './ReferencePage.vue';
import RowFilter from './RowFilter.vue';
import './style.css';

export default {
  extends: Theme,
  Layout: () =>
    h(Theme.Layout, null, {
      // The router of the pages ignores links with a target.
      'nav-bar-content-after': () => h('a', { class: 'inspector', href: '/', target: '_self' }, 'Inspector'),
    }),
  enhanceApp({ app }) {
    app.component('ReferencePage', ReferencePage);
    app.component('RowFilter', RowFilter);
  },
};
