/** The fonts of the house in a fix: what a profile wants of them and what a report tells of them. Opens no PDF. */
export { embedsFonts, fontsEmbedded } from '@pdf2press/fix/contracts';
