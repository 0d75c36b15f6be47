import { choiceField, flagField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

const fate = (initial: 'Keep' | 'Remove' | 'Flatten') => choiceField(initial, ['Keep', 'Remove', 'Flatten']);

/** Removes objects that do not print or print by accident: annotations, form fields, scripts, attachments. */
export const removeObjects = defineFix({
  key: 'RemoveObjects',
  version: 1,
  group: 'document',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 22,
  checks: ['Annotations', 'DocumentIntegrity'],
  // The appearance of an annotation is removed with it.
  mayChange: ['metadata', 'inks', 'images', 'fonts', 'text', 'overprint', 'overprintColours'],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    /** `Flatten` draws the printing appearance into the page; what does not print is removed. */
    annotations: fate('Flatten'),
    formFields: fate('Flatten'),
    links: choiceField('Remove', ['Keep', 'Remove']),
    onlyInPrintArea: flagField(false),
    javascript: flagField(true),
    actions: flagField(true),
    attachments: flagField(false),
    xfa: flagField(true),
    multimedia: flagField(true),
    thumbnails: flagField(false),
    bookmarks: flagField(false),
    articleThreads: flagField(false),
  }),
});
