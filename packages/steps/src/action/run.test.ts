import { expect, test } from 'vitest';
import { runStep } from '../runners.ts';
import type { StepContext } from '../step.ts';

const tools = { progress: () => undefined, runTask: () => Promise.reject(new Error('opens no PDF')) };
const variable = (name: string, type: string) => ({
  name,
  type,
  default: null,
  isRequired: false,
  isPublic: false,
  options: [],
});

/** The first run of an action: what it asks for. */
async function asked(settings: object, values: object = {}): Promise<unknown> {
  const context = {
    settings,
    step: { id: 'stp_1', kind: 'Action', name: '' },
    session: { id: 'ses_1', createdAt: new Date(0), runNo: 1, variables: values, previous: {} },
    workflow: {
      id: 'wfl_1',
      name: 'W',
      version: 1,
      variables: [variable('who', 'String'), variable('copies', 'Number')],
    },
    reader: { locale: 'en', unit: 'Millimeters', timeZone: 'UTC' },
    file: { name: 'a&b "1".pdf', size: 10 },
    original: { name: 'a.pdf' },
    readMade: async () => undefined,
  };
  // Only what an action reads.
  const ran = await runStep(context as unknown as StepContext, tools);
  return ran.end === 'effects' ? ran.effects.map(({ payload }) => payload) : ran;
}
const url = 'https://mis.example/jobs';

test('values cannot leave the place in the template where they stand', async () => {
  const who = '"}, {"x": "</a>&b=1\r\nX-Evil: 1';
  expect(
    await asked(
      { url, body: '{"who": "{{who}}!", "copies": "{{copies}}", "at": ["{{copies}} of"]}' },
      { who, copies: 3 },
    ),
  ).toMatchObject([{ body: JSON.stringify({ who: `${who}!`, copies: 3, at: ['3 of'] }) }]);
  expect(await asked({ url, bodyType: 'xml', body: '<a who="{{who}}"/>' }, { who })).toMatchObject([
    { body: '<a who="&quot;}, {&quot;x&quot;: &quot;&lt;/a&gt;&amp;b=1&#13;&#10;X-Evil: 1"/>' },
  ]);
  expect(await asked({ url, bodyType: 'form', body: 'who={{who}}' }, { who: 'a&b=ü' })).toMatchObject([
    { body: 'who=a%26b%3D%C3%BC' },
  ]);
  expect(await asked({ url: `${url}/{{who}}?f={{file.name}}` }, { who: '../x?y#z' })).toMatchObject([
    { url: `${url}/..%2Fx%3Fy%23z?f=a%26b%20%221%22.pdf` },
  ]);
  expect(await asked({ url, headers: [{ name: 'X-Who', value: '{{who}}' }] }, { who: 'a\r\nX-Evil: 1' })).toMatchObject(
    [
      {
        headers: [
          { name: 'X-Who', value: 'a X-Evil: 1' },
          { name: 'Content-Type', value: 'application/json' },
        ],
      },
    ],
  );
});

test('a call without a body says nothing of one', async () => {
  expect(await asked({ url, method: 'GET' })).toMatchObject([{ method: 'GET', body: '', headers: [] }]);
});

test('each address of a message gets its own; without any the step fails by its rule', async () => {
  const message = {
    does: 'message',
    to: ['{{who}}', 'b@x.example'],
    subject: 'For\n{{copies}}',
    text: 'Hello {{who}}',
  };
  const content = { subject: 'For 2', text: 'Hello a@x.example, c@x.example; b@x.example' };
  expect(await asked(message, { who: 'a@x.example, c@x.example; b@x.example', copies: 2 })).toMatchObject([
    { to: 'a@x.example', content, maxTries: 6 },
    { to: 'c@x.example', content },
    { to: 'b@x.example', content },
  ]);
  expect(await asked({ ...message, to: ['{{who}}'] })).toMatchObject({
    end: 'failure',
    failure: { code: 'ACTION_ADDRESS_MISSING' },
  });
  expect(await asked({ ...message, onError: 'retry' })).toMatchObject([{ maxTries: null }]);
});

test('more addresses than a message may have are never cut off: nothing is sent, and the step says so', async () => {
  const who = Array.from({ length: 21 }, (_, at) => `a${at}@x.example`).join(',');
  const message = { does: 'message', to: ['{{who}}'], subject: 'S', text: 'T' };
  const failure = { code: 'ACTION_ADDRESSES_TOO_MANY', params: { count: 21, max: 20 } };
  expect(await asked(message, { who })).toMatchObject({ end: 'failure', failure, summary: { sent: [] } });
  expect(await asked({ ...message, onError: 'warn' }, { who })).toMatchObject({
    end: 'outcome',
    level: 'Warning',
    summary: { problem: failure, sent: [] },
  });
  expect(await asked(message, { who: who.replace(/^[^,]*,/, '') })).toHaveLength(20);
});
