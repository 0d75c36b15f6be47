/** What inks and layers of lines for finishing are usually called, in English, German, French, Spanish, Italian, Portuguese and Chinese. */
const usualNames: readonly RegExp[] = [
  /^(?:(?:thru|through|kiss|half|die)[\s_-]*)?cut(?:ting|s)?(?:[\s_-]*(?:contour|line|path)s?)?$/i,
  /^die(?:[\s_-]*lines?)?$/i,
  /^(?:reverse[\s_-]*)?(?:crease|creases|creasing|score|scoring|fold|folds|folding)(?:[\s_-]*lines?)?$/i,
  /^perf(?:o|os|oration|orations|orating|orated)?(?:[\s_-]*lines?)?$/i,
  /^(?:stanz|schneid|schnitt|rill|nut|falz|perforations?)(?:e|en|ung|ungen|form|kontur|linie|linien)?$/i,
  /^(?:(?:ligne|lignes|tracé|trace|forme)[\s_-]*de[\s_-]*)?(?:découpe|decoupe|coupe|rainage|pliage|plis?|perforation)$/i,
  /^(?:(?:línea|líneas|linea|lineas)[\s_-]*de[\s_-]*)?(?:corte|troquel|troquelado|hendido|plegado|pliegue|doblez|perforado)$/i,
  /^(?:(?:linea|linee)[\s_-]*di[\s_-]*)?(?:taglio|fustella|fustellatura|cordonatura|piega|piegatura|perforazione)$/i,
  /^(?:(?:linha|linhas)[\s_-]*de[\s_-]*)?(?:corte|faca|vinco|dobra|picote|serrilha)$/i,
  /^(?:刀版|刀模|刀线|模切|裁切|切割|折|折线|折叠|压痕|压线|齿线|打孔)(?:线|层|版)?$/,
];

/** Whether an ink or a layer is called as a line for cutting, creasing, folding or perforating usually is; a number may follow. */
export function isLineName(name: string): boolean {
  const word = name
    .trim()
    .normalize('NFC')
    .replace(/[\s_-]*\d+$/, '');
  return usualNames.some((usual) => usual.test(word));
}
