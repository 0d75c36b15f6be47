import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { choiceField, countField, dpiField, flagField, groupField, namesField } from '../fields.ts';
import { messages } from './messages.ts';

export const pdfVersions = ['1.2', '1.3', '1.4', '1.5', '1.6', '1.7', '2.0'] as const;
export const conformances = [
  'PDF/X-1a:2001',
  'PDF/X-1a:2003',
  'PDF/X-3:2002',
  'PDF/X-3:2003',
  'PDF/X-4',
  'PDF/X-6',
  'GWG',
  'PDF/A',
] as const;

/** Whether the file can be trusted at all: structure, encryption, claims, syntax and things that do not print. */
export const documentIntegrity = defineCheck({
  key: 'DocumentIntegrity',
  version: 1,
  group: 'document',
  messages,
  settings: z.strictObject({
    damaged: choiceField('WarnIfRepaired', ['Allow', 'WarnIfRepaired', 'Disallow']),
    encryption: choiceField('AllowIfOpensWithoutPassword', [
      'Disallow',
      'AllowIfOpensWithoutPassword',
      'AllowIfPrintingPermitted',
    ]),
    minPdfVersion: z.enum(pdfVersions).nullable().default(null),
    maxPdfVersion: z.enum(pdfVersions).nullable().default(null),
    requiredConformance: z.enum(conformances).nullable().default(null),
    outputIntent: groupField({
      mode: choiceField('NotRequired', ['NotRequired', 'Required', 'OneOf', 'CMYKOnly']),
      names: namesField(),
    }),
    renderTest: groupField({
      isOn: flagField(true),
      dpi: dpiField(36),
      timeoutSeconds: countField(20, { min: 1, max: 300 }),
    }),
  }),
  rules: {
    damaged: 'Measured',
    pageLost: 'Fail',
    encrypted: 'Measured',
    versionLow: 'Fail',
    versionHigh: 'Fail',
    conformance: 'Fail',
    outputIntent: 'Fail',
    syntax: 'Fail',
    syntaxMinor: 'Info',
    resourceMissing: 'Fail',
    annotationInPrintArea: 'Warn',
    formFieldInPrintArea: 'Fail',
    javascript: 'Warn',
    actions: 'Info',
    embeddedFiles: 'Warn',
    multimedia: 'Warn',
    xfa: 'Fail',
    signature: 'Warn',
    preseparated: 'Fail',
    postscriptXObject: 'Fail',
    renderFailed: 'Fail',
  },
});
