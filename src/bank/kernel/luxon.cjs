// Loads luxon at its first use, because a start does not need it. esbuild follows a file of this form.
let luxon;
module.exports = () => {
  luxon ??= require('luxon');
  return luxon;
};
