import { xjdfWorkStyles } from '@pdf2press/contract';
import { engineVersion, xmlElement, xmlNumbers, xmlToken } from '@pdf2press/settings';
import type { Ticket, TicketPage } from './ticket.ts';

const resourceSet = (name: string, resources: readonly string[], usage?: 'Input'): string[] =>
  resources.length === 0 ? [] : [xmlElement('ResourceSet', { Name: name, Usage: usage }, resources)];

const resource = (part: Readonly<Record<string, string>> | null, specific: string): string =>
  xmlElement('Resource', {}, [...(part ? [xmlElement('Part', part)] : []), specific]);

const intent = (name: string, attributes: Parameters<typeof xmlElement>[1], children: string[] = []): string =>
  xmlElement('Intent', { Name: name }, [xmlElement(name, attributes, children)]);

const tokens = (names: readonly string[]): string => names.map(xmlToken).join(' ');

function product({ jobName, copies, product, bleed, inks }: Ticket): string {
  const { pageCount, width, height } = product;
  const surfaces = (['front', 'back'] as const).filter((side) => inks[side].length > 0);
  return xmlElement('ProductList', {}, [
    xmlElement('Product', { Amount: copies ?? undefined, DescriptiveName: jobName, ID: 'P1', IsRoot: true }, [
      intent(
        'ColorIntent',
        {},
        surfaces.map((side) =>
          xmlElement('SurfaceColor', {
            ColorsUsed: tokens(inks[side]),
            Surface: side === 'front' ? 'Front' : 'Back',
          }),
        ),
      ),
      intent('LayoutIntent', { Bleed: bleed, FinishedDimensions: xmlNumbers([width, height, 0]), Pages: pageCount }),
    ]),
  ]);
}

const content = ({ label, trim, bleed, media, hasBleeds, inks }: TicketPage): string =>
  xmlElement('Content', {
    ContentType: 'Page',
    HasBleeds: hasBleeds,
    PageLabel: label || undefined,
    Separations: inks.length > 0 ? tokens(inks) : undefined,
    SourceBleedBox: xmlNumbers(bleed),
    SourceClipBox: xmlNumbers(media),
    SourceTrimBox: xmlNumbers(trim),
  });

/** The ticket as XJDF 2.1: one product, the file that is printed, what its pages are, and the sheets of an imposed file. */
export function ticketToXjdf(ticket: Ticket): string {
  const { jobId, jobName, customerId, orderId, createdAt, file, pages, spots, sheets, facts } = ticket;
  const body = xmlElement(
    'XJDF',
    {
      xmlns: 'http://www.CIP4.org/JDFSchema_2_0',
      DescriptiveName: jobName,
      JobID: xmlToken(jobId),
      Types: 'Product',
      Version: '2.1',
    },
    [
      xmlElement('AuditPool', {}, [
        xmlElement('AuditCreated', {}, [
          xmlElement('Header', {
            AgentName: 'pdf2press',
            AgentVersion: engineVersion,
            DeviceID: 'pdf2press',
            Time: createdAt.toISOString(),
          }),
        ]),
      ]),
      ...[['SHA-256', file.sha256] as const, ...facts].map(([name, value]) =>
        xmlElement('GeneralID', { IDUsage: xmlToken(name), IDValue: value }),
      ),
      product(ticket),
      ...resourceSet(
        'Color',
        spots.map((name) => resource({ Separation: xmlToken(name) }, xmlElement('Color', { ActualColorName: name }))),
      ),
      ...resourceSet(
        'Content',
        pages.map((page, at) => resource({ PageNumber: `${at} ${at}` }, content(page))),
      ),
      ...(customerId === '' && orderId === ''
        ? []
        : resourceSet('CustomerInfo', [
            resource(
              null,
              xmlElement('CustomerInfo', {
                CustomerID: customerId === '' ? undefined : xmlToken(customerId),
                CustomerJobName: jobName,
                CustomerOrderID: orderId === '' ? undefined : orderId,
              }),
            ),
          ])),
      ...resourceSet(
        'Layout',
        sheets.map(({ name, width, height, workStyle }) =>
          resource(
            { SheetName: name },
            xmlElement('Layout', {
              SurfaceContentsBox: xmlNumbers([0, 0, width, height]),
              WorkStyle: xjdfWorkStyles[workStyle],
            }),
          ),
        ),
      ),
      ...resourceSet(
        'RunList',
        [
          resource(
            null,
            xmlElement('RunList', { NPage: pages.length }, [
              xmlElement('FileSpec', {
                CheckSum: file.md5,
                FileSize: file.size,
                MimeType: 'application/pdf',
                URL: encodeURIComponent(file.name),
                UserFileName: file.name,
              }),
            ]),
          ),
        ],
        'Input',
      ),
    ],
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`;
}
