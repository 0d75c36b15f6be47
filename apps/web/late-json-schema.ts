import type { Plugin } from 'vite';

const late = '\0late-json-schema';
const real = /[\\/]zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js$/;
const exported = /^export (?:const|function|class) (\w+)/gm;

/**
 * Every schema of zod names the functions that tell it as JSON Schema, which only the forms of settings ask for. In a build
 * the schemas get functions that pass on to those, which come with the page that asks: `z.toJSONSchema` brings them.
 */
export const lateJsonSchema: Plugin = {
  name: 'JSON schema when it is asked for',
  apply: 'build',
  enforce: 'pre',
  async resolveId(id, importer) {
    if (id === late) return id;
    if (!importer || !/[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/.test(importer)) return null;
    const found = await this.resolve(id, importer, { skipSelf: true });
    return found && real.test(found.id) ? `${late}:${found.id}` : null;
  },
  async load(id) {
    if (id === late) return 'const all = {};\nexport const give = (some) => Object.assign(all, some);\nexport { all };';
    if (!id.startsWith(`${late}:`)) return null;
    const code = await this.fs.readFile(id.slice(late.length + 1), { encoding: 'utf8' });
    // What makes a function for a schema is asked while the schema is made; the function then asks again.
    const passOn = [...code.matchAll(exported)].map(([, name = '']) =>
      name.startsWith('create')
        ? `export const ${name} = (...made) => (...args) => all.${name}(...made)(...args);`
        : `export const ${name} = (...args) => all.${name}(...args);`,
    );
    return [`import { all } from '${late}';`, ...passOn].join('\n');
  },
  transform(code, id) {
    if (!real.test(id) || id.startsWith(late)) return null;
    const names = [...code.matchAll(exported)].map(([, name]) => name);
    return `import { give } from '${late}';\n${code}\ngive({ ${names.join(', ')} });`;
  },
};
