/** What an injection step's summary holds as `merged`, where the files of a ZIP became one document. */
export interface MergedOfZip {
  /** In the order of the document; `hasOtherIntent`: it has another output intent than the document has now. */
  files: readonly { name: string; pages: number; hasOtherIntent: boolean }[];
  /** What was left in the ZIP, and why. */
  skipped: readonly { name: string; code: string }[];
}
