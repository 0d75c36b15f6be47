import { type LayoutPage, type Plan, type PlanSheet, type Side, xjdfWorkStyles } from '@pdf2press/contract';
import { xmlElement, xmlNumbers, xmlToken } from '@pdf2press/settings';
import { layouts } from '../layouts/layouts.ts';
import { gridOf, isBottled, placement, signatureCells, trimSizeOf } from './transform.ts';

/**
 * The plan as JDF 1.5 with the processes Stripping and Imposition: StrippingParams per sheet, a Layout with a
 * ContentObject per cell. Lengths are points.
 */
export function planToJdf(plan: Plan, pages: readonly LayoutPage[], job: { id: string; fileName: string }): string {
  const body = xmlElement(
    'JDF',
    {
      xmlns: 'http://www.CIP4.org/JDFSchema_1_1',
      ID: 'N1',
      JobID: xmlToken(job.id),
      JobPartID: 'Imposition',
      Type: 'ProcessGroup',
      Types: 'Stripping Imposition',
      Status: 'Completed',
      Version: '1.5',
    },
    [
      xmlElement('ResourcePool', {}, [
        xmlElement('RunList', { ID: 'R1', Class: 'Parameter', Status: 'Available', NPage: plan.pageCount }, [
          xmlElement('LayoutElement', {}, [
            xmlElement('FileSpec', { URL: encodeURI(job.fileName), MimeType: 'application/pdf' }),
          ]),
        ]),
        xmlElement(
          'StrippingParams',
          { ID: 'S1', Class: 'Parameter', Status: 'Available', PartIDKeys: 'SheetName' },
          plan.sheets.map((sheet) => stripping(sheet, plan)),
        ),
        xmlElement(
          'Layout',
          { ID: 'L1', Class: 'Parameter', Status: 'Available', PartIDKeys: 'SheetName Side' },
          plan.sheets.map((sheet) => layoutSheet(sheet, plan, pages)),
        ),
      ]),
      xmlElement('ResourceLinkPool', {}, [
        xmlElement('RunListLink', { rRef: 'R1', Usage: 'Input' }),
        xmlElement('StrippingParamsLink', { rRef: 'S1', Usage: 'Input' }),
        xmlElement('LayoutLink', { rRef: 'L1', Usage: 'Output' }),
      ]),
    ],
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`;
}

function stripping(sheet: PlanSheet, plan: Plan): string {
  const { rows, columns } = gridOf(sheet.front.cells);
  const [first] = sheet.front.cells;
  const size = first && trimSizeOf(first);
  return xmlElement(
    'StrippingParams',
    { SheetName: `Sheet${sheet.number}`, WorkStyle: xjdfWorkStyles[sheet.workStyle] },
    [
      xmlElement(
        'BinderySignature',
        {
          BinderySignatureType: sheet.foldCatalog ? 'Fold' : layouts[plan.layout].binderySignature,
          FoldCatalog: sheet.foldCatalog,
          BindingEdge: plan.bindingEdge === 'None' ? undefined : plan.bindingEdge,
          NumberUp: `${columns} ${rows}`,
        },
        isBottled(sheet) ? signatureCells(sheet).map(({ attributes }) => xmlElement('SignatureCell', attributes)) : [],
      ),
      xmlElement('Position', {
        RelativeBox: [
          sheet.block.x / sheet.width,
          sheet.block.y / sheet.height,
          (sheet.block.x + sheet.block.width) / sheet.width,
          (sheet.block.y + sheet.block.height) / sheet.height,
        ]
          .map((part) => part.toFixed(6))
          .join(' '),
      }),
      xmlElement('StripCellParams', { TrimSize: size, Sides: sheet.back ? 'TwoSidedHeadToHead' : 'OneSided' }),
    ],
  );
}

const layoutSheet = (sheet: PlanSheet, plan: Plan, pages: readonly LayoutPage[]): string =>
  xmlElement(
    'Layout',
    { SheetName: `Sheet${sheet.number}`, SurfaceContentsBox: xmlNumbers([0, 0, sheet.width, sheet.height]) },
    [surface(sheet.front, 'Front', plan, pages), ...(sheet.back ? [surface(sheet.back, 'Back', plan, pages)] : [])],
  );

const surface = (side: Side, name: string, plan: Plan, pages: readonly LayoutPage[]): string =>
  xmlElement(
    'Layout',
    { Side: name },
    side.cells.filter((cell) => cell.page > 0).map((cell) => xmlElement('ContentObject', placement(cell, plan, pages))),
  );
