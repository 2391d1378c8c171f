// VitePress's own theme, without its fonts, with the two parts of the reference.
import Theme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import OperationLine from './OperationLine.vue';
import ReferencePage from './ReferencePage.vue';
import './style.css';
import './swagger.css';

export default {
  extends: Theme,
  Layout: () =>
    h(Theme.Layout, null, {
      // The router of the pages leaves links with a target alone.
      'nav-bar-content-after': () => h('a', { class: 'inspector', href: '/', target: '_self' }, 'Inspector'),
    }),
  enhanceApp({ app }) {
    app.component('OperationLine', OperationLine);
    app.component('ReferencePage', ReferencePage);
  },
};
