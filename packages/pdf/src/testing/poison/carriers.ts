/** Files that carry code, links, attachments and encryption dictionaries. */
import { one, zeroBomb } from './parts.ts';

export function* carriers(): Generator<[string, Uint8Array]> {
  const script = '<< /S /JavaScript /JS (while \\(true\\) app.alert\\(1\\)) >>';
  yield [
    'javascript-everywhere',
    one(
      { extra: `/AA << /O ${script} >>` },
      {},
      { catalog: `/OpenAction ${script} /Names << /JavaScript << /Names [(a) ${script}] >> >>` },
    ),
  ];
  yield [
    'launch',
    one({
      extra:
        '/Annots [<< /Subtype /Link /Rect [0 0 99 99] /A << /S /Launch /F (/bin/sh) /Win << /F (cmd.exe) >> >> >>]',
    }),
  ];
  yield ['uri', one({}, {}, { catalog: '/OpenAction << /S /URI /URI (http://169.254.169.254/latest/meta-data) >>' })];
  yield [
    'submit-form',
    one(
      {},
      {},
      {
        catalog:
          '/AcroForm << /Fields [<< /FT /Tx /T (a) /AA << /K << /S /SubmitForm /F (http://localhost/) >> >> >>] >>',
      },
    ),
  ];
  yield [
    'xfa-entities',
    one(
      {},
      {
        50: {
          dict: '',
          data: '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><xdp>&b;<x href="file:///etc/passwd"/></xdp>',
        },
      },
      { catalog: '/AcroForm << /XFA 50 0 R /Fields [] >>' },
    ),
  ];
  yield [
    'embedded-names',
    one(
      {},
      { 50: { dict: '/Type /EmbeddedFile', data: 'x' } },
      {
        catalog:
          '/Names << /EmbeddedFiles << /Names [(../../../../etc/cron.d/x) << /F (../../x) /EF << /F 50 0 R >> >> (a\\000b) << /EF << /F 50 0 R >> >>] >> >>',
      },
    ),
  ];
  yield [
    'metadata-bomb',
    one(
      {},
      { 50: { dict: '/Type /Metadata /Filter /FlateDecode', data: zeroBomb(3000) } },
      { catalog: '/Metadata 50 0 R' },
    ),
  ];
  yield [
    'metadata-entities',
    one(
      {},
      { 50: { dict: '/Type /Metadata', data: `<!DOCTYPE lolz [<!ENTITY a "b">]>${'pdfaid:part="'.repeat(50_000)}` } },
      { catalog: '/Metadata 50 0 R' },
    ),
  ];
  yield [
    'info-huge',
    one(
      {},
      { 50: `<< /Producer (${'P'.repeat(1_000_000)}) /Title <feff${'d800'.repeat(1000)}> >>` },
      { trailer: '/Info 50 0 R' },
    ),
  ];
  const encrypt = (dict: string): Uint8Array =>
    one(
      { content: '0 0 1 1 re f' },
      { 50: `<< /Filter /Standard ${dict} >>` },
      { trailer: '/Encrypt 50 0 R /ID [(0123456789abcdef) (0123456789abcdef)]' },
    );
  const keys = `/O <${'00'.repeat(32)}> /U <${'00'.repeat(32)}> /P -4`;
  yield ['encrypt-1', encrypt(`/V 1 /R 2 ${keys}`)];
  yield ['encrypt-2-bits', encrypt(`/V 2 /R 3 /Length 99999 ${keys}`)];
  yield ['encrypt-4', encrypt(`/V 4 /R 4 /StmF /X /StrF /X /CF << /X << /CFM /AESV2 >> >> ${keys}`)];
  yield ['encrypt-5', encrypt(`/V 5 /R 6 /OE <00> /UE <00> /Perms <00> ${keys}`)];
  yield ['encrypt-99', encrypt(`/V 99 /R 99 ${keys}`)];
  yield [
    'encrypt-self',
    one({}, { 50: '<< /Filter /Standard /V 4 /CF 50 0 R /StmF /CF /StrF /CF >>' }, { trailer: '/Encrypt 50 0 R' }),
  ];
  yield ['encrypt-handler', encrypt('/Filter /Adobe.PubSec /V 4 /Recipients [(x)]')];
}
