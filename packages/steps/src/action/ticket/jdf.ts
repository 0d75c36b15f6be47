import { engineVersion, xmlElement, xmlNumbers, xmlToken } from '@pdf2press/settings';
import type { Ticket, TicketPage } from './ticket.ts';

/** JDF's short strings have at most 63 characters, its long ones 1023. */
const short = (text: string): string => text.slice(0, 63);
const long = (text: string): string => text.slice(0, 1023);

const resource = (name: string, id: string, kind: 'Parameter' | 'Intent', attributes = {}, children: string[] = []) =>
  xmlElement(name, { ID: id, Class: kind, Status: 'Available', ...attributes }, children);

const separations = (names: readonly string[]): string[] =>
  names.map((name) => xmlElement('SeparationSpec', { Name: name }));

const pageData = ({ label, trim, bleed, media, hasBleeds, inks }: TicketPage): string =>
  xmlElement(
    'PageData',
    {
      HasBleeds: hasBleeds,
      PageLabel: label || undefined,
      SourceBleedBox: xmlNumbers(bleed),
      SourceClipBox: xmlNumbers(media),
      SourceTrimBox: xmlNumbers(trim),
    },
    separations(inks),
  );

function layoutIntent({ product: { pageCount, width, height }, sheets }: Ticket): string {
  return resource('LayoutIntent', 'LI1', 'Intent', {}, [
    xmlElement('FinishedDimensions', { DataType: 'ShapeSpan', Preferred: xmlNumbers([width, height, 0]) }),
    xmlElement('Pages', { DataType: 'IntegerSpan', Preferred: pageCount }),
    ...(sheets.length > 0 ? [xmlElement('LayoutRef', { rRef: 'L1' })] : []),
  ]);
}

const sheetLayout = ({ sheets }: Ticket): string[] =>
  sheets.length === 0
    ? []
    : [
        resource(
          'Layout',
          'L1',
          'Parameter',
          { PartIDKeys: 'SheetName' },
          sheets.map(({ name, width, height }) =>
            xmlElement('Layout', { SheetName: name, SurfaceContentsBox: xmlNumbers([0, 0, width, height]) }),
          ),
        ),
      ];

const runList = ({ file, pages }: Ticket): string =>
  resource('RunList', 'R1', 'Parameter', { NPage: pages.length }, [
    xmlElement('LayoutElement', { ElementType: 'Document', HasBleeds: pages.every(({ hasBleeds }) => hasBleeds) }, [
      xmlElement('FileSpec', {
        CheckSum: file.md5,
        FileSize: file.size,
        MimeType: 'application/pdf',
        URL: encodeURIComponent(file.name),
        UserFileName: file.name,
      }),
      xmlElement('PageListRef', { rRef: 'PL1' }),
    ]),
  ]);

/** The ticket as JDF 1.5: the intent of one product, the file that is printed, and the sheets of an imposed file. */
export function ticketToJdf(ticket: Ticket): string {
  const { jobId, jobName, customerId, orderId, copies, createdAt, file, pages, inks, facts } = ticket;
  const ofCustomer = {
    CustomerID: customerId === '' ? undefined : short(customerId),
    CustomerJobName: long(jobName),
    CustomerOrderID: orderId === '' ? undefined : short(orderId),
  };
  const colours = [...new Set([...inks.front, ...inks.back])];
  const body = xmlElement(
    'JDF',
    {
      xmlns: 'http://www.CIP4.org/JDFSchema_1_1',
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      'xsi:type': 'Product',
      DescriptiveName: long(jobName),
      ID: 'N1',
      JobID: short(jobId),
      Status: 'Waiting',
      Type: 'Product',
      Version: '1.5',
    },
    [
      ...[['SHA-256', file.sha256] as const, ...facts].map(([name, value]) =>
        xmlElement('GeneralID', { IDUsage: xmlToken(name), IDValue: long(value) }),
      ),
      xmlElement('AuditPool', {}, [
        xmlElement('Created', {
          AgentName: 'pdf2press',
          AgentVersion: engineVersion,
          ID: 'A1',
          TimeStamp: createdAt.toISOString(),
        }),
      ]),
      xmlElement('ResourcePool', {}, [
        resource('CustomerInfo', 'CI1', 'Parameter', ofCustomer),
        resource('PageList', 'PL1', 'Parameter', {}, pages.map(pageData)),
        runList(ticket),
        ...sheetLayout(ticket),
        layoutIntent(ticket),
        resource('ColorIntent', 'CO1', 'Intent', {}, [
          ...(colours.length > 0 ? [xmlElement('ColorsUsed', {}, separations(colours))] : []),
        ]),
        resource('ArtDeliveryIntent', 'AD1', 'Intent', {}, [
          xmlElement('ArtDelivery', { ArtDeliveryType: 'DigitalFile' }, [xmlElement('RunListRef', { rRef: 'R1' })]),
        ]),
        xmlElement('Component', {
          ID: 'C1',
          Class: 'Quantity',
          Status: 'Unavailable',
          ComponentType: 'FinalProduct',
          DescriptiveName: long(jobName),
        }),
      ]),
      xmlElement('ResourceLinkPool', {}, [
        xmlElement('CustomerInfoLink', { rRef: 'CI1', Usage: 'Input' }),
        xmlElement('LayoutIntentLink', { rRef: 'LI1', Usage: 'Input' }),
        xmlElement('ColorIntentLink', { rRef: 'CO1', Usage: 'Input' }),
        xmlElement('ArtDeliveryIntentLink', { rRef: 'AD1', Usage: 'Input' }),
        xmlElement('ComponentLink', { Amount: copies ?? undefined, rRef: 'C1', Usage: 'Output' }),
      ]),
    ],
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`;
}
