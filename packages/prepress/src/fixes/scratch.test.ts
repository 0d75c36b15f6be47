import { expect, test } from 'vitest';
import { readFileSync, copyFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { buildPdf } from '@pdf2press/pdf/testing';
import { fixedBy, contentOf } from '../testing/fix-files.ts';
const rgb16 = Buffer.alloc(8*8*3); for (let i=0;i<rgb16.length;i++) rgb16[i]=i*5;
const icc = readFileSync('/work/main/packages/pdf/profiles/srgb.icc');
const objects={5:'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
 6:{dict:'/N 3',data:icc},
 7:{dict:'/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceRGB/BitsPerComponent 8 /Mask [0 10 0 20 0 30]',data:rgb16},
 8:{dict:'/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace[/Indexed/DeviceRGB 1 <ff000000ff00>]/BitsPerComponent 1',data:Buffer.from([0xaa,0x55,0xaa,0x55,0xaa,0x55,0xaa,0x55])},
 9:{dict:'/Type/XObject/Subtype/Form/BBox[0 0 100 100]/Group<</S/Transparency/CS/DeviceRGB>>/Resources<</XObject<</Im 8 0 R>>>>',data:'0 1 0 rg 0 0 20 20 re f q 20 0 0 20 30 0 cm /Im Do Q'},
 10:'<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 50 0]/Function<</FunctionType 2/Domain[0 1]/C0[1 0 0]/C1[0 0 1]/N 1>>/Extend[true true]>>',
 11:'<</Type/Pattern/PatternType 2/Shading 10 0 R/Matrix[1 0 0 1 100 0]>>',
 12:{dict:'/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 10 10]/XStep 10/YStep 10/Resources<<>>',data:'1 0 1 rg 0 0 5 5 re f'},
 13:{dict:'/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Group<</S/Transparency/CS/DeviceRGB>>',data:'1 1 1 rg 0 0 200 200 re f 0.5 0.5 0 rg 10 10 30 30 re f'},
 14:'<</Type/ExtGState/SMask<</S/Luminosity/G 13 0 R>>>>',
 15:'[/Separation/Spot/DeviceRGB<</FunctionType 2/Domain[0 1]/C0[1 1 1]/C1[1 0.5 0]/N 1>>]',
};
const content='0 0 0 rg BT /F1 12 Tf 20 180 Td (black) Tj ET 0.5 g BT /F1 12 Tf 60 180 Td (gray) Tj ET 0.5 0.5 0.5 rg 100 180 10 10 re f 1 0 0 RG 2 w 10 170 m 100 170 l S /CS0 cs 0.2 0.4 0.6 sc 120 160 20 20 re f /L cs 50 60 20 scn 150 160 20 20 re f q 40 0 0 40 10 100 cm /I1 Do Q q 40 0 0 40 60 100 cm /I2 Do Q q 1 0 0 1 110 100 cm /Fm Do Q q 0 0 50 50 re W n /Sh sh Q /Pattern cs /P1 scn 100 0 50 50 re f /P2 scn 150 0 50 50 re f q /GS gs 1 0 0 rg 0 0 40 40 re f Q /Sep cs 0.7 scn 20 60 20 20 re f q 20 0 0 20 60 60 cm BI /W 2 /H 2 /CS /RGB /BPC 8 ID 123456789012 EI Q';
test('colour', async () => {
  const pdf = buildPdf({ pages:[{content, resources:'/Font<</F1 5 0 R>>/ColorSpace<</CS0[/ICCBased 6 0 R]/L[/Lab<</WhitePoint[0.9642 1 0.8249]/Range[-100 100 -100 100]>>]/Sep 15 0 R>>/XObject<</I1 7 0 R/I2 8 0 R/Fm 9 0 R>>/Shading<</Sh 10 0 R>>/Pattern<</P1 11 0 R/P2 12 0 R>>/ExtGState<</GS 14 0 R>>', extra:'/Group<</S/Transparency/CS/DeviceRGB>>'}], objects });
  const one = await fixedBy(pdf, 'ColorspaceTransformation', {});
  console.log(JSON.stringify(one.report.actions[0]), contentOf(one.path), one.report.changes.map(c=>[c.what,c.before,c.after,c.count].join('|')));
  copyFileSync(one.path,'/tmp/fixer/colour.pdf'); copyFileSync(one.before,'/tmp/fixer/colour-in.pdf');
  const two = await fixedBy(one.path, 'ColorspaceTransformation', {});
  console.log(two.report.changes);
  expect(two.report.actions[0]?.outcome).toBe('NothingToDo');
});
