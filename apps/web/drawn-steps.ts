import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const steps = fileURLToPath(new URL('../../packages/steps/dist/', import.meta.url));
/** Marks the modules that hold kinds as the canvas draws them. */
const drawn = '?drawn';
/** What only the form of a step and the check of a draft read; both come after the canvas is painted. */
const late = new Set(['settings', 'check', 'checkProfile']);

/**
 * In a build, `drawn-kinds.ts` gets the contracts of steps without their settings and checks. With them, every schema and
 * all that judges rules and placeholders would be loaded before the canvas is drawn. Whoever imports the contracts
 * themselves gets them whole.
 */
export const drawnSteps: Plugin = {
  name: 'steps as they are drawn',
  enforce: 'pre',
  async resolveId(id, importer) {
    if (this.environment.mode !== 'build' || !importer) return null;
    const isDoor = id === '@pdf2press/steps/contracts' && importer.endsWith('/drawn-kinds.ts');
    const isInside = importer.endsWith(drawn) && /^\.{1,2}\/.*\.js$/.test(id);
    if (!isDoor && !isInside) return null;
    const file = await this.resolve(id, importer.replace(drawn, ''), { skipSelf: true });
    return file?.id.startsWith(steps) ? { ...file, id: `${file.id}${drawn}` } : null;
  },
  transform(code, id) {
    if (!id.endsWith(`contract.js${drawn}`)) return null;
    const calls = this.parse(code).body.flatMap((statement) =>
      statement.type === 'ExportNamedDeclaration' && statement.declaration?.type === 'VariableDeclaration'
        ? statement.declaration.declarations.flatMap(({ init }) =>
            init?.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'stepContract'
              ? [init]
              : [],
          )
        : [],
    );
    const [contract] = calls[0]?.arguments ?? [];
    if (calls.length !== 1 || contract?.type !== 'ObjectExpression')
      throw new Error(`${id} does not declare one kind of step`);
    const properties = contract.properties.filter(
      (property) => property.type !== 'Property' || property.key.type !== 'Identifier' || !late.has(property.key.name),
    );
    const kept = properties.map(({ start, end }) => code.slice(start, end)).join(',\n');
    return `${code.slice(0, contract.start)}{ ${kept} }${code.slice(contract.end)}`;
  },
};
