import { escapeXml } from '@pdf2press/settings';

/** Adds PDF/X identification to an XMP packet and keeps its other properties. */
export interface XmpFacts {
  /** 'PDF/X-4'; null for no identification. */
  standard: string | null;
  title: string;
  creator: string;
  created: string;
  modified: string;
  documentId: string;
  trapped: 'True' | 'False';
}

const ours = [
  ['pdfxid', 'http://www.npes.org/pdfx/ns/id/', ['GTS_PDFXVersion']],
  ['xmp', 'http://ns.adobe.com/xap/1.0/', ['CreateDate', 'ModifyDate', 'MetadataDate', 'CreatorTool']],
  ['xmpMM', 'http://ns.adobe.com/xap/1.0/mm/', ['DocumentID', 'VersionID', 'RenditionClass']],
  ['pdf', 'http://ns.adobe.com/pdf/1.3/', ['Trapped']],
] as const;

/** Removes properties, written as elements or as attributes. */
const withoutTags = (packet: string, tags: readonly string[]): string =>
  tags.reduce(
    (text, tag) =>
      text
        .replace(new RegExp(`<${tag}(?:\\s[^>]*)?(?:/>|>[\\s\\S]*?</${tag}>)\\s*`, 'g'), '')
        .replace(new RegExp(`\\s${tag}\\s*=\\s*(?:"[^"]*"|'[^']*')`, 'g'), ''),
    packet,
  );

/** Removes the properties that are set anew, so that none occurs twice. */
const without = (packet: string): string =>
  withoutTags(
    packet,
    ours.flatMap(([prefix, , names]) => names.map((name) => `${prefix}:${name}`)),
  );

/** Removes the PDF/X identification from a packet. */
export const withoutIdentification = (packet: string): string =>
  withoutTags(packet, ['pdfxid:GTS_PDFXVersion', 'pdfx:GTS_PDFXVersion', 'pdfx:GTS_PDFXConformance']);

function description(facts: XmpFacts, hasTitle: boolean): string {
  const spaces = ours.map(([prefix, space]) => `xmlns:${prefix}="${space}"`).join(' ');
  const title = hasTitle
    ? ''
    : `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(facts.title)}</rdf:li></rdf:Alt></dc:title>\n`;
  return `<rdf:Description rdf:about="" ${spaces} xmlns:dc="http://purl.org/dc/elements/1.1/">
${facts.standard ? `<pdfxid:GTS_PDFXVersion>${facts.standard}</pdfxid:GTS_PDFXVersion>\n` : ''}${title}<xmp:CreatorTool>${escapeXml(facts.creator)}</xmp:CreatorTool>
<xmp:CreateDate>${facts.created}</xmp:CreateDate>
<xmp:ModifyDate>${facts.modified}</xmp:ModifyDate>
<xmp:MetadataDate>${facts.modified}</xmp:MetadataDate>
<xmpMM:DocumentID>uuid:${facts.documentId}</xmpMM:DocumentID>
<xmpMM:VersionID>1</xmpMM:VersionID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass>
<pdf:Trapped>${facts.trapped}</pdf:Trapped>
</rdf:Description>
`;
}

/** A packet with these facts; an existing packet keeps its other properties. */
export function xmpPacket(existing: string | null, facts: XmpFacts): string {
  if (existing?.includes('</rdf:RDF>')) {
    const kept = without(existing);
    return kept.replace('</rdf:RDF>', `${description(facts, kept.includes('<dc:title'))}</rdf:RDF>`);
  }
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
${description(facts, false)}</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;
}
