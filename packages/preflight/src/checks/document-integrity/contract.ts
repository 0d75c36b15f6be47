import { choiceField, countField, dpiField, flagField, groupField, namesField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineCheck } from '../define-check.ts';
import { messages } from './messages.ts';

export const pdfVersions = ['1.2', '1.3', '1.4', '1.5', '1.6', '1.7', '2.0'] as const;
export const conformances = [
  'None',
  'X-1a:2001',
  'X-1a:2003',
  'X-3:2002',
  'X-3:2003',
  'X-4',
  'X-6',
  'GWG',
  'PDF/A',
] as const;

/** Structure, encryption, claimed standards, content syntax, and contents that do not print. */
export const documentIntegrity = defineCheck({
  key: 'DocumentIntegrity',
  version: 2,
  group: 'document',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  findsObjects: false,
  renamed: {
    syntax: 'syntaxErrors',
    annotationInPrintArea: 'annotationsInPrintArea',
    formFieldInPrintArea: 'formFieldsInPrintArea',
    xfa: 'XFA',
    signature: 'digitalSignature',
  },
  upgrades: {
    1: (settings) => {
      const level = settings.requiredConformance;
      if (level === undefined) return settings;
      return { ...settings, requiredConformance: level === null ? 'None' : String(level).replace(/^PDF\/X/, 'X') };
    },
  },
  settings: z.strictObject({
    damaged: choiceField('WarnIfRepaired', ['Allow', 'WarnIfRepaired', 'Disallow']),
    encryption: choiceField('AllowIfOpensWithoutPassword', [
      'Disallow',
      'AllowIfOpensWithoutPassword',
      'AllowIfPrintingPermitted',
    ]),
    minPdfVersion: z.enum(pdfVersions).nullable().default(null),
    maxPdfVersion: z.enum(pdfVersions).nullable().default(null),
    requiredConformance: choiceField('None', conformances),
    outputIntent: groupField(
      { mode: choiceField('NotRequired', ['NotRequired', 'Required', 'OneOf', 'CMYKOnly']), names: namesField() },
      'mode',
    ),
    renderTest: groupField(
      { isOn: flagField(true), dpi: dpiField(36), timeoutSeconds: countField(20, { min: 1, max: 300 }) },
      'isOn',
    ),
  }),
  rules: {
    damaged: 'Measured',
    pageLost: 'Fail',
    encrypted: 'Measured',
    versionLow: 'Fail',
    versionHigh: 'Fail',
    conformance: 'Fail',
    outputIntent: 'Fail',
    syntaxErrors: 'Fail',
    syntaxMinor: 'Info',
    resourceMissing: 'Fail',
    annotationsInPrintArea: 'Warn',
    formFieldsInPrintArea: 'Fail',
    javascript: 'Warn',
    actions: 'Info',
    embeddedFiles: 'Warn',
    multimedia: 'Warn',
    XFA: 'Fail',
    digitalSignature: 'Warn',
    preseparated: 'Fail',
    postscriptXObject: 'Fail',
    renderFailed: 'Fail',
  },
  remedies: {
    damaged: 'export',
    pageLost: 'export',
    encrypted: 'password',
    versionLow: 'export',
    versionHigh: 'export',
    conformance: 'export',
    outputIntent: 'export',
    syntaxErrors: 'export',
    syntaxMinor: null,
    resourceMissing: 'export',
    annotationsInPrintArea: 'interactive',
    formFieldsInPrintArea: 'interactive',
    javascript: 'interactive',
    actions: 'interactive',
    embeddedFiles: 'interactive',
    multimedia: 'interactive',
    XFA: 'interactive',
    digitalSignature: 'password',
    preseparated: 'export',
    postscriptXObject: 'export',
    renderFailed: 'export',
  },
});
