import { type WorkflowDefinition, workflowDefinitionSchema } from '@pdf2press/contract';

/** A workflow that holds each session, for tests: Inject, Hold with these settings, Complete. */
export const holding = (settings: Record<string, unknown>): WorkflowDefinition =>
  workflowDefinitionSchema.parse({
    variables: [
      { name: 'paper', type: 'String', default: 'matt' },
      { name: 'copies', type: 'Number' },
      { name: 'note', type: 'String' },
    ],
    steps: [
      { id: 'inject', kind: 'Inject' },
      { id: 'hold', kind: 'Hold', settings },
      { id: 'complete', kind: 'Complete' },
    ],
    edges: [
      { id: 'a', from: 'inject', outcome: 'done', to: 'hold' },
      { id: 'b', from: 'hold', outcome: 'continue', to: 'complete' },
    ],
  });
