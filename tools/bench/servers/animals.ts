/**
 * The 20 animals that the bare servers answer with: as many as a page of the twin holds, in the
 * same form.
 */
export const animals = Array.from({ length: 20 }, (_, index) => ({
  id: index + 1,
  name: ['Rex', 'Mittens', 'Goldie', 'Señor Bigotes'][index % 4],
  categoryId: (index % 8) + 1,
  status: ['available', 'pending', 'sold'][index % 3],
}));
