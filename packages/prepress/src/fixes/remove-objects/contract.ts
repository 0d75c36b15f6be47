import { z } from 'zod';
import { choiceField, flagField } from '../../checks/fields.ts';
import { defineFix } from '../define-fix.ts';
import { messages } from './messages.ts';

const fate = (initial: 'Keep' | 'Remove' | 'Flatten') => choiceField(initial, ['Keep', 'Remove', 'Flatten']);

/** Things that a press does not print, or that print only by accident: annotations, forms, scripts, attachments. */
export const removeObjects = defineFix({
  key: 'RemoveObjects',
  version: 1,
  group: 'document',
  messages,
  order: 22,
  checks: ['Annotations', 'DocumentIntegrity'],
  // What an annotation shows goes with it.
  mayChange: ['metadata', 'inks', 'images', 'fonts', 'text', 'overprint', 'overprintColours'],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    /** What of an annotation prints is drawn into the page by `Flatten`; what does not print goes. */
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
