// VitePress's own theme, without its fonts, with the two parts of the reference.
import Theme from 'vitepress/theme-without-fonts';
import Operation from './Operation.vue';
import Reference from './Reference.vue';
import './style.css';
import './swagger.css';

export default {
  extends: Theme,
  enhanceApp({ app }) {
    app.component('Operation', Operation);
    app.component('Reference', Reference);
  },
};
