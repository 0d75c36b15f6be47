import { type Cell, type Plan, type PlanSheet, type Side, xjdfWorkStyles } from '@pdf2press/contract';
import { cellTransform } from './transform.ts';
import { element, xmlNumber } from './xml.ts';

/**
 * The plan as an XJDF 2.1 document: a Layout with one placed object per cell, and the stripping words (work style,
 * fold catalogue, binding side) that a cutter or folder reads. Lengths are points.
 */
export function planToXjdf(plan: Plan, job: { id: string; fileName: string }): string {
  const sheets = plan.sheets.map((sheet) => sheetResources(sheet, plan));
  const body = element(
    'XJDF',
    {
      xmlns: 'http://www.CIP4.org/JDFSchema_2_0',
      JobID: job.id,
      JobPartID: 'Imposition',
      Types: 'Imposition',
      Version: '2.1',
    },
    [
      element('ResourceSet', { Name: 'RunList', Usage: 'Input' }, [
        element('Resource', {}, [
          element('RunList', { NPage: plan.pageCount }, [element('FileSpec', { URL: encodeURI(job.fileName) })]),
        ]),
      ]),
      element(
        'ResourceSet',
        { Name: 'BinderySignature', Usage: 'Input' },
        sheets.map(({ signature }) => signature),
      ),
      element(
        'ResourceSet',
        { Name: 'Layout', Usage: 'Input' },
        sheets.map(({ layout }) => layout),
      ),
    ],
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`;
}

function sheetResources(sheet: PlanSheet, plan: Plan): { signature: string; layout: string } {
  const name = `Sheet${sheet.number}`;
  const rows = 1 + Math.max(0, ...sheet.front.cells.map((cell) => cell.row));
  const columns = 1 + Math.max(0, ...sheet.front.cells.map((cell) => cell.column));
  const part = element('Part', { SheetName: name });
  return {
    signature: element('Resource', { ID: `BS${sheet.number}` }, [
      part,
      element('BinderySignature', {
        BinderySignatureType: sheet.folds.length > 0 ? 'Fold' : plan.layout === 'DieCut' ? 'Die' : 'Grid',
        FoldCatalog: sheet.foldCatalog,
        BindingEdge: plan.bindingEdge,
        NumberUp: `${columns} ${rows}`,
      }),
    ]),
    layout: element('Resource', {}, [
      part,
      element(
        'Layout',
        {
          WorkStyle: xjdfWorkStyles[sheet.workStyle],
          SurfaceContentsBox: `0 0 ${xmlNumber(sheet.width)} ${xmlNumber(sheet.height)}`,
        },
        [
          ...placed(sheet.front, 'Front', sheet.number),
          ...(sheet.back ? placed(sheet.back, 'Back', sheet.number) : []),
        ],
      ),
    ]),
  };
}

const placed = (side: Side, name: string, sheet: number): string[] =>
  side.cells
    .filter((cell) => cell.page > 0)
    .map((cell) =>
      element(
        'PlacedObject',
        {
          Ord: cell.page - 1,
          CTM: cellTransform(cell),
          TrimCTM: trimTransform(cell),
          TrimSize: trimSize(cell),
          ClipBox: clipBox(cell),
        },
        [
          element('ContentObject', {}),
          element('Part', { SheetName: `Sheet${sheet}`, Side: name, BinderySignatureID: `BS${sheet}` }),
        ],
      ),
    );

const trimTransform = (cell: Cell): string => `1 0 0 1 ${xmlNumber(cell.x)} ${xmlNumber(cell.y)}`;
const trimSize = (cell: Cell): string => `${xmlNumber(cell.width)} ${xmlNumber(cell.height)}`;
export const clipBox = ({ clip }: Cell): string =>
  [clip.x, clip.y, clip.x + clip.width, clip.y + clip.height].map(xmlNumber).join(' ');
