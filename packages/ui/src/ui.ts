/* The door of the ui room: fields and primitives for the web app and for forms of kinds. Nothing here fetches. */
export { BytesField } from './bytes-field.tsx';
export { type FieldEditorProps, FieldSurroundings } from './field-editors.ts';
export { LengthField } from './length-field.tsx';
export { uiMessages } from './messages.ts';
export { NumberField } from './number-field.tsx';
export { SettingsFields } from './settings-fields.tsx';
export { type FieldShape, shapeOf, withoutAddedLists, withoutRuledOut } from './settings-shape.ts';
export type { SettingsWords } from './settings-words.ts';
export { TextSetting } from './text-setting.tsx';
