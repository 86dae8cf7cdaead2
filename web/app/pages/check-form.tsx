import { useParams } from 'react-router-dom';
import CheckFormPage from '../../features/checks/recording/check-form-page.tsx';
import NotFoundPage from './not-found.tsx';

/** The form of the check or incident that the address names. */
export default function CheckForm() {
  const { slug = '' } = useParams();
  return <CheckFormPage key={slug} slug={slug} notFound={<NotFoundPage />} />;
}
