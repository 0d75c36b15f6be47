import { type LayoutPage, type Plan, type PlanSheet, type Side, xjdfWorkStyles } from '@pdf2press/contract';
import { xmlElement, xmlNumbers, xmlToken } from '@pdf2press/settings';
import { layouts } from '../layouts/layouts.ts';
import { gridOf, isBottled, placement, rectangle, signatureCells, trimSizeOf } from './transform.ts';

/**
 * The plan as an XJDF 2.1 document: a Layout per sheet side with a PlacedObject per cell, and a BinderySignature per
 * sheet (fold catalogue entry or page positions) for cutters and folders. Lengths are points.
 */
export function planToXjdf(plan: Plan, pages: readonly LayoutPage[], job: { id: string; fileName: string }): string {
  const body = xmlElement(
    'XJDF',
    {
      xmlns: 'http://www.CIP4.org/JDFSchema_2_0',
      JobID: xmlToken(job.id),
      JobPartID: 'Imposition',
      Types: 'Stripping Imposition',
      Version: '2.1',
    },
    [
      xmlElement('ResourceSet', { Name: 'RunList', Usage: 'Input' }, [
        xmlElement('Resource', {}, [
          xmlElement('RunList', { NPage: plan.pageCount }, [xmlElement('FileSpec', { URL: encodeURI(job.fileName) })]),
        ]),
      ]),
      xmlElement(
        'ResourceSet',
        { Name: 'BinderySignature', Usage: 'Input' },
        plan.sheets.map((sheet) => signature(sheet, plan)),
      ),
      xmlElement(
        'ResourceSet',
        { Name: 'Layout', Usage: 'Input' },
        plan.sheets.flatMap((sheet) => [
          layout(sheet, 'Front', sheet.front, plan, pages),
          ...(sheet.back ? [layout(sheet, 'Back', sheet.back, plan, pages)] : []),
        ]),
      ),
    ],
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`;
}

const sheetName = (sheet: PlanSheet): string => `Sheet${sheet.number}`;
const signatureId = (sheet: PlanSheet): string => `BS${sheet.number}`;

function signature(sheet: PlanSheet, plan: Plan): string {
  const { rows, columns } = gridOf(sheet.front.cells);
  return xmlElement('Resource', {}, [
    xmlElement('Part', { BinderySignatureID: signatureId(sheet) }),
    xmlElement(
      'BinderySignature',
      {
        BinderySignatureType: sheet.foldCatalog ? 'Fold' : layouts[plan.layout].binderySignature,
        FoldCatalog: sheet.foldCatalog,
        NumberUp: `${columns} ${rows}`,
      },
      // The fold catalogue entry defines the page positions of a folded sheet; without one they are listed by cell, and
      // with bottling, which only a cell can tell.
      sheet.foldCatalog && !isBottled(sheet)
        ? []
        : signatureCells(sheet).map(({ cell, attributes }) =>
            xmlElement('SignatureCell', { ...attributes, TrimSize: trimSizeOf(cell) }),
          ),
    ),
  ]);
}

const layout = (sheet: PlanSheet, name: string, side: Side, plan: Plan, pages: readonly LayoutPage[]): string =>
  xmlElement('Resource', {}, [
    xmlElement('Part', { SheetName: sheetName(sheet), Side: name }),
    xmlElement(
      'Layout',
      {
        SurfaceContentsBox: xmlNumbers([0, 0, sheet.width, sheet.height]),
        WorkStyle: xjdfWorkStyles[sheet.workStyle],
      },
      [
        ...side.cells
          .filter((cell) => cell.page > 0)
          .map((cell) => xmlElement('PlacedObject', placement(cell, plan, pages), [xmlElement('ContentObject', {})])),
        xmlElement('Position', { AbsoluteBox: rectangle(sheet.block), BinderySignatureID: signatureId(sheet) }),
      ],
    ),
  ]);
