// Writes the notices about third-party code in the bundles: dist/THIRD-PARTY-NOTICES.md with the
// licences, and dist/sbom.cdx.json (CycloneDX) for programs, because `npm audit` cannot see bundled packages.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE = /^(licen[cs]e|notice|copying)(\.|-|$)/i;
const INTRODUCTION = `# Third-party software in this package

The program contains code of these packages, each under its own licence. \`sbom.cdx.json\` lists them for programs.
`;
const PACKAGE_FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

/** `inputs` are the paths of the bundled files. */
export function writeNotices(folder, root, inputs) {
  const folders = new Set();
  for (const input of inputs) {
    const found = PACKAGE_FOLDER.exec(input.replaceAll('\\', '/'))?.[0];
    if (found !== undefined) folders.add(found);
  }
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const packages = [...folders]
    .sort()
    .map((path) => ({ ...readPackage(join(root, path)), integrity: lock[path]?.integrity }));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { publishedName: name = manifest.name, version, license } = manifest;
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.md'), noticesOf(packages));
  writeFileSync(
    join(folder, 'sbom.cdx.json'),
    `${JSON.stringify(sbomOf({ name, version, license }, packages))}\n`,
  );
}

function readPackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim().replaceAll('\r\n', '\n'));
  if (typeof license !== 'string') throw new Error(`${name} ${version} names no licence in its package.json`);
  return { name, version, license, texts };
}

/** Lines of a licence that are specific to a package. */
const OWN_LINE = /^(?:copyright\b.*|\(c\).*|(?:the )?(?:mit|isc) licen[cs]e.*|all rights reserved\.?)$/i;

/**
 * Many packages have the same licence except for the authors. It is printed once, below the names and authors of all
 * of them.
 */
function noticesOf(packages) {
  const byText = new Map();
  for (const { name, version, license, texts } of packages) {
    const lines = texts
      .join('\n\n')
      .split('\n')
      .map((line) => line.trim());
    const isOwn = (line) => OWN_LINE.test(line);
    const key = lines
      .filter((line) => !isOwn(line))
      .join(' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const text = lines
      .filter((line) => !isOwn(line))
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
    const entry = [
      `- ${name} ${version} (${license})`,
      ...lines.filter((line) => /^copyright|^\(c\)/i.test(line)),
    ];
    const present = byText.get(key);
    byText.set(key, { text, entries: [...(present?.entries ?? []), entry.join('\n  ')] });
  }
  const sections = [...byText.values()].map(({ text, entries }) =>
    [entries.join('\n'), ...(text === '' ? [] : [`~~~text\n${text}\n~~~`])].join('\n\n'),
  );
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
}

/**
 * CycloneDX 1.6. It has no timestamp, and its serial number is a hash of its content, so that the same sources
 * produce the same file. Attestation tools require the number.
 */
function sbomOf(program, packages) {
  const componentOf = ({ name, version, license }) => {
    const at = name.lastIndexOf('/');
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return {
      'bom-ref': purl,
      ...(at > 0 && { group: name.slice(0, at) }),
      name: name.slice(at + 1),
      version,
      licenses: [/ (OR|AND|WITH) /.test(license) ? { expression: license } : { license: { id: license } }],
      purl,
    };
  };
  const content = {
    version: 1,
    metadata: { component: { type: 'application', ...componentOf(program) } },
    components: packages.map(({ integrity, ...one }) => ({
      type: 'library',
      ...componentOf(one),
      ...(integrity !== undefined && {
        hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }],
      }),
    })),
  };
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    // A UUID of version 8 with the digits of the hash.
    serialNumber: `urn:uuid:${hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')}`,
    ...content,
  };
}
