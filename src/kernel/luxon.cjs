// luxon, read at its first use: a start needs none of it. A file of this form is followed by esbuild, and loaded at once.
let luxon;
module.exports = () => {
  luxon ??= require('luxon');
  return luxon;
};
