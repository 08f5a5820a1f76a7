/* Search: lessons and how-to pages before results, sources and answers to exercises. */
var Scorer = {
  score: ([page, , , , score]) =>
    /^(results|source|rungs|benchmarks)\/|\/answers$/.test(page) ? score / 4 : /^\d_/.test(page) ? score * 2 : score,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
