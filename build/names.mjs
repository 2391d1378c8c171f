// The bundle shortens the names of functions, and esbuild sets the original name of each function when the function is
// created. That takes half a microsecond and 250 bytes, and opening a sandbox creates two thousand functions. So names
// are set only while a module is evaluated; functions that are created later keep their short names. A method has the
// name of its property anyway.
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * The helper that esbuild calls with a function and its name, and the helper that evaluates a former CommonJS module.
 */
const GIVE_NAME = /([\w$]+)=\(([\w$]+),([\w$]+)\)=>([\w$]+\(\2,"name",\{value:\3,configurable:!0\}\))/;
const COMMON_JS =
  /(=\([\w$]+,[\w$]+\)=>\(\)=>)\{(try\{return [\w$]+\|\|[\w$]+\(\([\w$]+=\{exports:\{\}\}\)\.exports,[\w$]+\),[\w$]+\.exports\}catch\([\w$]+\)\{throw [\w$]+=0,[\w$]+\})\}/;
const EXPORTED = /export\{([^}]*)\}/;

/** The outer name in an item `a as b` of a list of exports, or the inner name in a list of imports. */
function nameIn(list, name) {
  const found = list.split(',').find((item) => item === name || item.startsWith(`${name} as `));
  return found?.split(' as ').at(-1);
}

/** Changes the files of a bundle: `files` are their paths. Throws if esbuild's output has another form. */
export function nameWhileEvaluating(files) {
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const [helperFile] = [...texts].find(([, text]) => GIVE_NAME.test(text)) ?? [];
  if (helperFile === undefined) throw new Error('no file of the bundle gives functions their names');
  const helperText = texts.get(helperFile);
  const [, name] = GIVE_NAME.exec(helperText);
  const exported = nameIn(EXPORTED.exec(helperText)?.[1] ?? '', name);
  if (exported === undefined || !COMMON_JS.test(helperText)) {
    throw new Error(`${helperFile} is not what build/names.mjs expects`);
  }
  texts.set(
    helperFile,
    `${helperText
      .replace(GIVE_NAME, '$1=($2,$3)=>$1.on?$4:$2')
      .replace(COMMON_JS, `$1{${name}.on++;$2finally{${name}.on--}}`)};${name}.on=0;\n`,
  );
  const imported = new RegExp(
    `import\\{([^}]*)\\}from"\\./${helperFile.split('/').at(-1).replace('.', '\\.')}";?`,
  );
  let changed = 0;
  for (const [file, text] of texts) {
    const [statement, list = ''] = imported.exec(text) ?? [];
    const local = nameIn(list, exported);
    if (file !== helperFile && local === undefined) continue;
    changed += 1;
    if (file === helperFile) writeFileSync(file, text);
    else {
      const begun = text.replace(statement, () => `${statement.replace(/;?$/, ';')}${local}.on++;`);
      writeFileSync(file, `${begun.trimEnd()}\n;${local}.on--;\n`);
    }
  }
  if (changed < 2) throw new Error('no file of the bundle gives functions their names');
}
