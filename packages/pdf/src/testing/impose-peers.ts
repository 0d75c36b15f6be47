/**
 * Imposes two pages per sheet with other libraries: `node impose-peers.js pdf-lib|graft IN OUT`. The benchmark compares
 * our speed with it. Prints the time without process start.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import * as mupdf from 'mupdf';
import { PDFDocument } from 'pdf-lib';

const [, , peer, input = '', output = ''] = process.argv;
const width = 2 * 612;
const height = 860;

const peers: Readonly<Record<string, () => Promise<void>>> = {
  async 'pdf-lib'() {
    const source = await PDFDocument.load(readFileSync(input), { updateMetadata: false });
    const target = await PDFDocument.create();
    const pages = await target.embedPages(source.getPages());
    for (let i = 0; i < pages.length; i += 2) {
      const sheet = target.addPage([width, height]);
      for (const [side, page] of pages.slice(i, i + 2).entries()) sheet.drawPage(page, { x: (side * width) / 2, y: 0 });
    }
    writeFileSync(output, await target.save());
  },
  async graft() {
    const source = mupdf.Document.openDocument(readFileSync(input), 'application/pdf') as InstanceType<
      typeof mupdf.PDFDocument
    >;
    const target = new mupdf.PDFDocument();
    const graft = target.newGraftMap();
    const count = source.countPages();
    const formOf = (index: number) => {
      const page = source.findPage(index);
      const dict = target.newDictionary();
      dict.put('Type', target.newName('XObject'));
      dict.put('Subtype', target.newName('Form'));
      dict.put('BBox', graft.graftObject(page.getInheritable('MediaBox')));
      dict.put('Resources', graft.graftObject(page.getInheritable('Resources')));
      return target.addStream(page.get('Contents').readStream().asUint8Array(), dict);
    };
    for (let i = 0; i < count; i += 2) {
      const xobjects = target.newDictionary();
      let content = '';
      for (let side = 0; side < 2 && i + side < count; side += 1) {
        xobjects.put(`P${side}`, formOf(i + side));
        content += `q 1 0 0 1 ${(side * width) / 2} 0 cm /P${side} Do Q\n`;
      }
      const resources = target.newDictionary();
      resources.put('XObject', xobjects);
      target.insertPage(-1, target.addPage([0, 0, width, height], 0, resources, content));
    }
    writeFileSync(output, target.saveToBuffer('garbage=0').asUint8Array());
  },
};

const begin = performance.now();
await peers[peer ?? '']?.();
console.log(JSON.stringify({ seconds: (performance.now() - begin) / 1000 }));
