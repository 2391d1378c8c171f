// VitePress's own theme, without its fonts, with the two parts of the reference.
import Theme from 'vitepress/theme-without-fonts';
import OperationLine from './OperationLine.vue';
import ReferencePage from './ReferencePage.vue';
import './style.css';
import './swagger.css';

export default {
  extends: Theme,
  enhanceApp({ app }) {
    app.component('OperationLine', OperationLine);
    app.component('ReferencePage', ReferencePage);
  },
};
